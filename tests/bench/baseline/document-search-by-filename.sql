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
where documents.filename_search like search_pattern(:filename)
order by documents.uploaded_at desc, documents.id desc
limit :limit;

select count(*) as count
from (
  select
  from documents
  where documents.filename_search like search_pattern(:filename)
  limit 10001
) as counted;
