-- Version 1.0 reads more of some documents than 0.9: all of Word's older formats, and those in which 0.9 found no text or
-- which it called protected. The job reads them again, newest first; searches find their old text until then.
update document_texts set read_at = null, attempts = 0, claimed_until = null
from documents
where documents.id = document_id and not is_protected and read_at is not null
  and (mime_type = 'application/msword' or state in ('none', 'failed', 'protected'));
