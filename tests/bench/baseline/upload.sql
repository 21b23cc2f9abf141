begin;

select id
from customers
where id = :customer_id
for no key update;

insert into documents (customer_id, filename, filename_key, mime_type, file_size, sha256, storage_key, uploaded_at, uploaded_by)
values (:customer_id, :filename, :filename::text || :request_id, :mime_type, :file_size, :sha256, :storage_key, now(), :user_id);

insert into activity (at, action, actor_id, actor_label, subject_type, subject_id, subject_label, address, request_id, shown, salt, mac)
select now(), 'document.uploaded', :user_id::bigint, :user_name::text, 'document', id, filename, '127.0.0.1', :request_id::text, true, :salt::bytea, :mac::bytea
from documents
where storage_key = :storage_key;

commit;
