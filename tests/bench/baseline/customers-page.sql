select id, name, dob, email, phone_number, street_line, city, province, country, created_at, updated_at
from customers
order by created_at desc, id desc
limit :limit offset :offset;

-- Counting a million takes longer than reading a page, so the baseline also uses the kept totals.
select sum(records) as total
from record_counts
where noun = 'customers' and period = '-infinity';
