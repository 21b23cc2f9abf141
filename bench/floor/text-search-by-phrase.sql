-- As by words.
select document_id, page, ts_headline('simple', content, phraseto_tsquery('simple', :q)), filename, mime_type, name
from (
  select * from (
    select * from document_pages where words @@ phraseto_tsquery('simple', :q)
    order by document_id desc, page limit 501
  ) as newest
  join documents on documents.id = document_id
  order by ts_rank_cd(words, phraseto_tsquery('simple', :q), 1)
    / (1 + extract(epoch from now() - uploaded_at) / 31536000) desc
  limit :limit
) as best
join customers on customers.id = customer_id;

select count(*) from (
  select from document_pages where words @@ phraseto_tsquery('simple', :q) limit 501
) as counted;
