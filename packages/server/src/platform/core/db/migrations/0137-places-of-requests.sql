-- Where a request was answered: `server`, `network` or the id of a provider. Null for requests before, and for those that
-- nothing has answered.
alter table requests add place text;
