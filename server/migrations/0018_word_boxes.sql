-- Where the words of a page stand that was read by OCR, so that they can be marked: word, left, top, width and height,
-- in ten-thousandths of the page.
alter table document_pages add boxes jsonb;
