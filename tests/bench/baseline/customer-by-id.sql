select id, name, dob, email, phone_number, street_line, city, province, country, created_at, updated_at
from customers
where id = :id;
