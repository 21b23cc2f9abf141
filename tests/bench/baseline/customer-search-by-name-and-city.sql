select id, name, dob, email, phone_number, street_line, city, province, country, created_at, updated_at
from customers
where name_search like search_pattern(:name) and city_search like search_pattern(:city)
order by starts_with(name_search, search_text(:name)) desc, name_search collate "C", id
limit :limit;

select count(*) as count
from (select from customers where name_search like search_pattern(:name) and city_search like search_pattern(:city) limit 10001) as counted;
