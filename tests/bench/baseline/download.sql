select id, disabled_at
from users
where id = :user_id;

select documents.id, documents.customer_id, customers.name as customer_name, customers.email as customer_email,
  documents.filename, documents.description, documents.mime_type, documents.file_size, documents.storage_key,
  documents.uploaded_at, users.name as uploaded_by_name
from documents
join customers on customers.id = documents.customer_id
left join users on users.id = documents.uploaded_by
where documents.id = :id;

insert into activity (at, action, actor_id, actor_label, subject_type, subject_id, subject_label, address, request_id, shown, salt, mac)
select now(), 'document.downloaded', :user_id::bigint, 'a colleague', 'document', id, filename, '127.0.0.1', :request_id::text, false, :salt::bytea, :mac::bytea
from documents
where id = :id;
