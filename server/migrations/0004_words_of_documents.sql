-- A search finds documents, not pages: all words of a question have to be in the document, each in its name, its
-- description, its customer or on any of its pages. So this table has the words of a whole document, and the index of
-- the words of single pages is gone.

-- A word has the numbers of its pages as positions (at most 255 of them), and weight A behind those if it is in the name,
-- the description or the customer. Documents without text have no row.
create table document_words (
  document_id bigint not null references document_texts on delete cascade,
  -- 0. A tsvector holds 1 MB: the words of a very large document, such as a list of a hundred thousand serial numbers, are
  -- in the sections 1, 2, 3 and so on, each with those of some of its pages. A search has to match one section.
  section smallint not null default 0,
  words tsvector not null,
  primary key (document_id, section)
);
-- Keeps the rows apart from their words, so that thousands of matches are on few blocks.
alter table document_words set (toast_tuple_target = 128);
-- By the number of documents with a word, the planner chooses between the index and the newest documents first.
alter table document_words alter words set statistics 1000;

drop index document_pages_words;
alter table document_pages alter words set statistics 0;

-- Where the text of a document changes: prepares the words of the whole document from those of its pages.
create function collect_document_words(of_document bigint) returns void
  language plpgsql as $$
declare
  -- Of the 1,048,575 that a tsvector may have: the words of the record come too, at most 40 KB.
  max_bytes constant integer := 1000000;
  -- One section, unless the words are too many.
  first_pages integer[] := '{0}';
  total integer;
  current_bytes integer := 0;
  next_page record;
begin
  -- One at a time, and in the order of a deletion.
  perform from document_texts where document_id = of_document for update;
  delete from document_words where document_id = of_document;
  select sum(octet_length(lexeme) + 4 + 2 * least(pages, 255)) into total from (
    select lexeme, count(*) as pages
    from document_pages, unnest(tsvector_to_array(words)) as lexeme where document_id = of_document group by lexeme
  ) as counted;
  if total is null then
    return;
  end if;
  if total > max_bytes then
    for next_page in
      select page, sum(octet_length(lexeme) + 6)::integer as bytes
      from document_pages, unnest(tsvector_to_array(words)) as lexeme where document_id = of_document
      group by page order by page
    loop
      if current_bytes = 0 or current_bytes + next_page.bytes > max_bytes then
        first_pages := first_pages || next_page.page;
        current_bytes := 0;
      end if;
      current_bytes := current_bytes + next_page.bytes;
    end loop;
  end if;
  insert into document_words (document_id, section, words)
  select of_document, collected.section, collected.words || setweight(document_texts.words, 'A')
  from document_texts, (
    select section, string_agg(lexeme || ':' || pages, ' ')::tsvector as words
    from (
      select width_bucket(page, first_pages) - 1 as section, lexeme, string_agg(page::text, ',' order by page) as pages
      from document_pages, unnest(tsvector_to_array(words)) as lexeme where document_id = of_document
      group by section, lexeme
    ) as placed
    group by section
  ) as collected
  where document_texts.document_id = of_document;
end $$;

-- The name, the description or the customer changed.
create function keep_collected_words() returns trigger language plpgsql as $$
begin
  update document_words set words = ts_filter(words, '{d}') || setweight(new.words, 'A')
  where document_id = new.document_id;
  return null;
end $$;
create trigger document_texts_renamed after update of words on document_texts
  for each row when (old.words is distinct from new.words)
  execute function keep_collected_words();

-- The newest ones, in two minutes at most: the job prepare-words collects the words of the others, newest first.
select collect_document_words(document_id)
from (
  select document_id from document_texts where page_count > 0 order by document_id desc limit 100000
) as newest;

create index document_words_search on document_words using gin (words);
