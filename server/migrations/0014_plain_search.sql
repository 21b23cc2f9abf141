-- Searches need the plain trigram indexes only: 3 letters of a term or more are looked up there, fewer are looked for
-- in the records, and no statistics decide between the two.
drop index customers_search_name, customers_search_name_letters, documents_search_letters;
create index customers_search_name on customers using gin (name_search gin_trgm_ops);
drop statistics customers_name_trigrams, customers_name_further_on_trigrams, customers_email_trigrams,
  customers_street_line_trigrams, documents_filename_trigrams;
alter table customers
  alter name_search set statistics -1, alter email_search set statistics -1,
  alter phone_search set statistics -1, alter street_line_search set statistics -1,
  alter city_search set statistics -1, alter province_search set statistics -1,
  alter country_search set statistics -1;
alter table documents alter filename_search set statistics -1;
drop function starting_pattern, letters_pattern, spread_letters;

-- A far page is read from the index of the list, from the end that is nearer, and needs no marks along it.
drop trigger customers_inserted_between_marks on customers;
drop trigger customers_deleted_between_marks on customers;
drop trigger documents_inserted_between_marks on documents;
drop trigger documents_deleted_between_marks on documents;
drop function add_page_marks, keep_page_marks, page_start;
drop table page_marks;

-- Nobody does these jobs any more. The queue's tables are made by the first server that starts.
do $$
begin
  if to_regclass('graphile_worker._private_jobs') is not null then
    delete from graphile_worker._private_jobs as jobs using graphile_worker._private_tasks as tasks
    where tasks.id = jobs.task_id and tasks.identifier = 'mark-pages';
  end if;
end $$;
