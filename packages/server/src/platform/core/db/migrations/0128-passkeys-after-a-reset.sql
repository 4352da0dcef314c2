-- False after the password was reset, until the passkey has answered the question for a second factor once more: whoever added it
-- before may be somebody else, who does not know the new password.
alter table passkeys add signs_in_alone boolean not null default true;
