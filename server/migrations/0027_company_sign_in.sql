-- Whom the company's own sign-in calls this person. Set by the first sign-in with it.
alter table users add column company_issuer text;
alter table users add column company_subject text;
alter table users add constraint users_company_identity unique (company_issuer, company_subject);
-- By the operator of the machine, for a password where PASSWORD_SIGN_IN is off.
alter table users add column password_allowed_until timestamptz;
-- Chosen on the profile: nobody has shown that this address is theirs.
alter table users add column chose_email boolean not null default false;
update users set chose_email = true where exists (
  select from activity
  where action = 'user.updated' and subject_type = 'user' and subject_id = users.id
    and (changes ? 'email' or detail -> 'fields' ? 'email')
);
