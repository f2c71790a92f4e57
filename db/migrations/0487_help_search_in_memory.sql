-- The server searches the articles in memory: by stems and synonyms, any word may be missing. What the database searched with is gone.
drop table help_words;
alter table help_articles drop column search;
-- Questions in other languages get the nearest articles and are told that the help is in English.
alter table help_messages drop constraint help_messages_written_by_check;
alter table help_messages add constraint help_messages_written_by_check
  check (written_by in ('model', 'quotes', 'nothing_found', 'other_language', 'advice'));
