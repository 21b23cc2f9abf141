#!/bin/sh
# For compose.yaml: PostgreSQL's image runs this once, as superuser, when it creates the database. The servers get a
# role that owns one database and nothing else. The superuser loses its password, so that it cannot log in over the
# network; `docker compose exec postgres psql -U postgres` still works.
set -eu
psql --username "$POSTGRES_USER" --dbname postgres --set ON_ERROR_STOP=1 --set password="$POSTGRES_PASSWORD" <<'SQL'
create role customer_database login password :'password';
create database customer_database owner customer_database;
alter role current_user password null;
SQL
