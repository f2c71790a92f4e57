-- A scan while away stops, too, when the saved rules that decide it no longer compile.
alter table away_scans drop constraint away_scans_refused_check;
alter table away_scans add constraint away_scans_refused_check
  check (refused in ('insufficient_credits', 'rules_invalid'));
