-- Downloads are held against this one, which costs next to nothing; SHA-256 stays what a document is. Older documents
-- get theirs from the next check of all documents.
alter table documents add column crc32 bigint;
