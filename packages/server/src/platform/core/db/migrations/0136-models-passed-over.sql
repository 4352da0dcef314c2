-- The models of a request that were passed over before another one answered: [{"model": id, "reason": code of an error}].
alter table requests add passed_over jsonb;
