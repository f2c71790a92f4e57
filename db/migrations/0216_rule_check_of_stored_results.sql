-- Results that no check was made of say whether a model or the built-in rules would judge them. A stored quotation mark inside a
-- text is escaped, so the pattern meets the field only.
update scans set results = replace(
    results::text,
    '"ai_state": "unchecked"',
    case when exists (select from scan_ai_checks where decided_by = 'model')
      then '"ai_state": "online", "rule_check": null'
      else '"ai_state": "offline", "rule_check": "not_run"'
    end
  )::jsonb
  where results is not null;
