-- The text of documents, read from their files in the background. It can be read again at any time, and goes with its
-- document.
create table document_texts (
  document_id bigint primary key references documents on delete cascade,
  -- waiting: not read yet, or only its pictures are left; none: there is no text in it.
  state text not null default 'waiting' check (state in ('waiting', 'ready', 'none', 'protected', 'failed')),
  -- Why it could not be read.
  reason text,
  page_count integer,
  -- ISO 639-3.
  language text,
  -- Pages that are pictures and have to be recognised.
  pictures_left integer not null default 0,
  -- Whoever reads it has claimed it for a while. A claim that ran out was that of a server that was killed.
  claimed_until timestamptz,
  -- Reading that began and did not end: perhaps the document killed the server.
  attempts smallint not null default 0,
  -- Null until the file was read; its pictures may come later.
  read_at timestamptz
);
create index document_texts_unread on document_texts (document_id) where read_at is null;
create index document_texts_pictures on document_texts (document_id) where pictures_left > 0;

create table document_pages (
  document_id bigint not null references document_texts on delete cascade,
  page integer not null,
  content text not null,
  -- The words of the content as the application prepares them: PostgreSQL's own dictionaries are not asked.
  words tsvector not null,
  -- A picture that was not recognised yet.
  is_picture boolean not null default false,
  primary key (document_id, page)
);
create index document_pages_words on document_pages using gin (words);
create index document_pages_pictures on document_pages (document_id, page) where is_picture;

create function expect_text() returns trigger language plpgsql as $$
begin
  insert into document_texts (document_id, state, read_at)
  select id, case when is_protected then 'protected' else 'waiting' end, case when is_protected then uploaded_at end
  from added;
  return null;
end $$;
create trigger documents_inserted_without_text after insert on documents
  referencing new table as added for each statement execute function expect_text();

insert into document_texts (document_id, state, read_at)
select id, case when is_protected then 'protected' else 'waiting' end, case when is_protected then uploaded_at end
from documents;
