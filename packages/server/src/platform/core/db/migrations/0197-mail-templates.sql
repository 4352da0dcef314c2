-- The words of mails that the operator edited. A reset keeps the row, with no words, so that versions only grow.
create table mail_templates (
  name text not null,
  language text not null check (language ~ '^[a-z]{2}$'),
  version integer not null check (version > 0),
  subject text,
  body text,
  -- The default when it was edited, by which a later change of the default is noticed.
  default_subject text,
  default_body text,
  edited_by text references users (id) on delete set null,
  edited_at timestamptz not null,
  primary key (name, language),
  check (num_nulls(subject, body, default_subject, default_body) in (0, 4))
);
