select id, name, dob, email, phone_number, street_line, city, province, country, created_at, updated_at
from customers
where phone_search like search_pattern(:phone_number)
order by name_search collate "C", id
limit :limit;

select count(*) as count
from (select from customers where phone_search like search_pattern(:phone_number) limit 10001) as counted;
