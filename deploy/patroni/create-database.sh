#!/bin/sh
# For patroni.yml: Patroni runs this once, when it creates the cluster, with the superuser's connection string. The
# servers get a role that owns one database and nothing else.
set -eu
psql "$1" --no-psqlrc --set ON_ERROR_STOP=1 <<'SQL'
\getenv password DATABASE_PASSWORD
create role customer_database login password :'password';
create database customer_database owner customer_database;
SQL
