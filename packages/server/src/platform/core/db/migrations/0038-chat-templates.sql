-- Whether the file of a model says how a conversation is written. A base model's does not. Null for files stored before this was read.
alter table store_files add column has_chat_template boolean;
