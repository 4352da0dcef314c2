-- Every call writes a row, and each index costs as much as the row itself. No query reads the requests of one model.
drop index requests_by_model;
-- Rows come in the order of time, so the range of times in each block of pages replaces an entry for each row.
drop index requests_by_time;
create index requests_by_time on requests using brin (started_at) with (pages_per_range = 32, autosummarize = on);
