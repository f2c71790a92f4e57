-- A candidate without a quantity names the rule of sizing that left none. The check of 0041 took a reason for two outcomes only, so a scan
-- with such a candidate failed as a whole.
alter table scan_candidates
  drop constraint scan_candidates_check,
  add constraint scan_candidates_reason check (
    case outcome
      when 'ZERO_QTY' then true
      else (outcome in ('NO_MATCH', 'LOW_CONF')) = (filtered_by is not null)
    end
  );
