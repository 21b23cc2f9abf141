-- The newest documents with a page that has the phrase, and that page.
select document_id, page, ts_headline('simple', content, to_tsquery('simple', :phrase)), filename, mime_type, name
from (
  select distinct on (document_id) document_id, page, content
  from document_words join document_pages using (document_id)
  where document_words.words @@ to_tsquery('simple', :words) and document_pages.words @@ to_tsquery('simple', :phrase)
  order by document_id desc, page limit 501
) as found
join documents on documents.id = document_id
join customers on customers.id = customer_id
limit :limit;
