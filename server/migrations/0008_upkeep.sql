-- The dashboard and the schedule ask when a backup or a check was last made, and how it went.
create index activity_upkeep on activity (action, at desc)
  where action in ('backup.completed', 'backup.failed', 'check.completed', 'check.failed');
drop index activity_backups;
