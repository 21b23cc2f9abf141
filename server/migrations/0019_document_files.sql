-- What is made from a document and belongs to it, such as a thumbnail. It can be made again: no backup has it.
create table document_files (
  document_id bigint not null references documents on delete cascade,
  kind text not null check (kind in ('thumbnail')),
  -- Null if it is not made yet or cannot be made.
  storage_key text unique,
  file_size integer,
  -- Null if it is to be made.
  made_at timestamptz,
  -- As in document_texts.
  claimed_until timestamptz,
  attempts smallint not null default 0,
  primary key (document_id, kind)
);
create index document_files_to_make on document_files (document_id) where made_at is null;

insert into document_files (document_id, kind)
select document_id, 'thumbnail' from document_texts where read_at is not null;
