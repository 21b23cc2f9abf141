-- PDFs that LibreOffice makes of Word documents for the viewer (DOCX_PREVIEW), one of a document.
alter table document_files
  drop constraint document_files_kind_check,
  add constraint document_files_kind_check check (kind in ('thumbnail', 'preview')),
  -- Of the object. Null in files of earlier versions.
  add sha256 bytea,
  -- Previews only: who opened or uploaded the document last, or 0, and when. Previews are made in turn, as in
  -- document_texts.
  add wanted_by bigint,
  add wanted_at timestamptz,
  add constraint document_files_wanted check (kind <> 'preview' or (wanted_by is not null and wanted_at is not null));

drop index document_files_to_make;
create index document_files_to_make on document_files (kind, document_id) where made_at is null;
create index document_files_wanted on document_files (wanted_by, wanted_at) where made_at is null and kind = 'preview';

alter table reading_turns
  drop constraint reading_turns_kind_check,
  add constraint reading_turns_kind_check check (kind in ('text', 'pictures', 'previews'));
