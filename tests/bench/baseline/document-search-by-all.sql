select documents.id, documents.customer_id, customers.name as customer_name, customers.email as customer_email,
  documents.filename, documents.description, documents.mime_type, documents.file_size, documents.storage_key,
  documents.uploaded_at, users.name as uploaded_by_name,
  exists (
    select from document_files
    where document_id = documents.id and kind = 'thumbnail' and storage_key is not null
  ) as has_thumbnail
from documents
join customers on customers.id = documents.customer_id
left join users on users.id = documents.uploaded_by
where customers.name_search like search_pattern(:customer_name)
  and documents.filename_search like search_pattern(:filename)
  and documents.uploaded_at >= :date_from::date::timestamp at time zone 'UTC'
  and documents.uploaded_at < (:date_to::date + 1)::timestamp at time zone 'UTC'
order by documents.uploaded_at desc, documents.id desc
limit :limit;

select count(*) as count
from (
  select
  from documents
  join customers on customers.id = documents.customer_id
  where customers.name_search like search_pattern(:customer_name)
  and documents.filename_search like search_pattern(:filename)
  and documents.uploaded_at >= :date_from::date::timestamp at time zone 'UTC'
  and documents.uploaded_at < (:date_to::date + 1)::timestamp at time zone 'UTC'
  limit 10001
) as counted;
