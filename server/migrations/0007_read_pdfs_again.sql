-- Version 1.0 reads PDFs in scripts without spaces or from right to left better than 0.9: a line end divided words of
-- Chinese and Japanese, and letters of Arabic and Hebrew were in the wrong order. The job reads them again, newest first.
-- 0.9 had other codes of some languages.
update document_texts set read_at = null, attempts = 0, claimed_until = null
from documents
where documents.id = document_id and read_at is not null and not is_protected and mime_type = 'application/pdf'
  and language in ('zho', 'cmn', 'jpn', 'tha', 'lao', 'khm', 'mya', 'ara', 'arb', 'fas', 'pes', 'urd', 'heb');
