import type { Kind } from './kind.ts';

export const location: readonly Kind[] = [
  {
    tag: 'COORDINATES',
    categories: ['PII'],
    words:
      'lat lng lon latitude longitude latlng lat_lng latlong lat_lon coordinates coordinate coords coord gps geo geolocation geopoint breitengrad langengrad koordinaten latitud longitud latitudine longitudine coordenadas coordonnees geotag 纬度 经度 緯度 経度 座標',
    docs: {
      counts:
        'two numbers of degrees with four decimals or more, in range, with a word, or beside each other under their keys (then one of them may have fewer); ' +
        'degrees with the letters of hemispheres, with minutes or three decimals; one number alone only when strict',
      strength: ['formatted'],
      found: 'gps 52.520008, 13.404954',
      missed: 'ratio 52.520008, 13.404954',
    },
  },
];
