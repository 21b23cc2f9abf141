-- Chosen by the client, so that an upload whose answer was lost can be sent again and is saved once. The id goes with
-- the document.
alter table documents add column upload_id uuid;
create unique index documents_uploads on documents (uploaded_by, upload_id) where upload_id is not null;
