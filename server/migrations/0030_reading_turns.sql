-- The texts of documents are read in turns of the people who uploaded them. 0 where that is not known.
alter table document_texts add uploaded_by bigint not null default 0;
update document_texts set uploaded_by = documents.uploaded_by
from documents where documents.id = document_id and documents.uploaded_by is not null;

drop index document_texts_unread;
drop index document_texts_pictures;
create index document_texts_unread on document_texts (uploaded_by, document_id) where read_at is null;
create index document_texts_pictures on document_texts (uploaded_by, document_id) where pictures_left > 0;

create or replace function expect_text() returns trigger language plpgsql as $$
begin
  insert into document_texts (document_id, uploaded_by, state, read_at, words)
  select added.id, coalesce(uploaded_by, 0), case when is_protected then 'protected' else 'waiting' end,
    case when is_protected then uploaded_at end, document_words(filename, description, name, email)
  from added join customers on customers.id = added.customer_id;
  return null;
end $$;

-- When the documents of a person are next in turn: later by the time that reading their last ones took.
create table reading_turns (
  kind text not null check (kind in ('text', 'pictures')),
  uploaded_by bigint not null,
  due_at timestamptz not null,
  primary key (kind, uploaded_by)
);
