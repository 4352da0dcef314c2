-- Every change of what is wanted of a deployment counts one up; what was found says which of them it is about.
alter table deployments add settings_version integer not null default 1;
alter table deployments add observed_settings_version integer not null default 0;
update deployments set observed_settings_version = settings_version;
