-- Incidents are read from failed probes alone, which are few among the probes of 90 days.
create index status_probes_failed on status_probes (part, minute) where not is_ok;
