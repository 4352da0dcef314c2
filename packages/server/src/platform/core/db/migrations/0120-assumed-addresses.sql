alter table users
  -- The address counts as verified only because no mail server could send it a link: nobody has confirmed it.
  add column email_assumed boolean not null default false;
