/** The same object with other fields or methods: of its class, and with all that it has itself. */
export const changed = <T extends object>(object: T, fields: Partial<T>): T =>
  Object.assign(Object.create(Object.getPrototypeOf(object)), object, fields);
