#!/bin/sh
# Runs once, when PostgreSQL makes its database: the role that the server works with, which owns nothing.
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$DATABASE_PASSWORD" --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" <<'SQL'
create role feather login password :'password';
SQL
