-- What failed in a run is tried again; what was opened or skipped stays (the statement that writes asks for `FAILED`).
grant update (outcome, detail, message, position_id) on auto_run_items to app_system;
