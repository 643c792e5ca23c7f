/** The schema of a database beside this version's. `foreign`: the database was not written by this service. */
export type SchemaAge = 'foreign' | 'older' | 'current' | 'newer';

/** Why a database that a development version wrote before 0.2.0 is refused. */
export const unreleasedSchema =
  'the database was written by a version before 0.2.0, whose schema cannot be upgraded: export what you need with that version, then start with a new database (ASSIZE_DATABASE names it)';
