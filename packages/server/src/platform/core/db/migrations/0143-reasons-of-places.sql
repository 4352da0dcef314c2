-- By what the place was chosen that answered a request. Null for requests before, and for those that had no choice to make.
alter table requests add chosen_by text;
