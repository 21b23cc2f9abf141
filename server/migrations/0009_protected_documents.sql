-- Word asks for a password before it shows such a document. With a constant default no row is rewritten.
alter table documents add column is_protected boolean not null default false;
