-- Names a document that is attached when the message is sent, such as 'invoice:inv_1'. The file itself is not stored.
alter table outbox add column attachment text;
