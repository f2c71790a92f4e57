-- A question that failed at the provider may have been billed all the same. Its repeat is a row of its own, with a price of its own, so
-- that the day's cap is held against everything that was sent.
alter table ai_calls
  add column attempt integer not null default 1 check (attempt between 1 and 2),
  drop constraint ai_calls_user_id_input_hash_prompt_hash_model_key,
  add constraint ai_calls_once unique (user_id, input_hash, prompt_hash, model, attempt);
