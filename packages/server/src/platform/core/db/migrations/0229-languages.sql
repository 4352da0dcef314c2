-- The language of the site and of mails; null until it is chosen, or a browser asks for one at a sign-in.
alter table users add column language text check (language in ('en', 'de', 'es', 'fr', 'ja', 'zh-Hans'));
alter table mail_templates drop constraint mail_templates_language_check;
alter table mail_templates add check (language in ('en', 'de', 'es', 'fr', 'ja', 'zh-Hans'));
