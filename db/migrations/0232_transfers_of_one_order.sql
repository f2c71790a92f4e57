-- Each report of a provider asks which order its transfer was first reported with.
create index payment_events_of_transfer on payment_events (provider, provider_payment_id, seq) where provider_payment_id is not null;
