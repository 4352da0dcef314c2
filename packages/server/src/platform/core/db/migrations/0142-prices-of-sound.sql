-- Prices in USD for a second of sound that is written down, and for a character that is read aloud; and what requests were
-- charged by them. Requests on flat plans, and those from before, have none.
alter table prices
  add column audio_second numeric(24, 15) not null default 0 check (audio_second >= 0),
  add column "character" numeric(24, 15) not null default 0 check ("character" >= 0);
alter table requests
  add column characters integer,
  add column audio_second_price numeric(24, 15),
  add column character_price numeric(24, 15);
