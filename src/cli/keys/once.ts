export const once = 'The key is shown only once: store it.';
