-- What a model in a GGUF file was made for besides generating texts: to order them, and, with its projector file, to read
-- images. The projector is a file of its own in the folder of the model files, named by its checksum.
alter table store_files
  add column is_reranker boolean not null default false,
  add column projector_file text,
  add column projector_sha256 text,
  add column projector_bytes bigint not null default 0;

-- The projector that is downloaded with a model: [{"path", "size", "sha256"}]. `bytes_total` includes it.
alter table store_pulls add column projector jsonb;
