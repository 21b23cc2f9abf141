import type { Language } from './papers.ts';

/**
 * `東京=tokyo` is a name with its Latin spelling, for email addresses; `Montréal/Québec` a city with its province; in the
 * patterns, `S` is the street and `#` a digit.
 */
type RegionOf<List> = Record<'givenNames' | 'familyNames' | 'cities' | 'streets', List> & {
  country: string;
  language: Language;
  /** The percentage of customers who live here. */
  share: number;
  isFamilyNameFirst?: true;
  addressPattern: string;
  phonePattern: string;
};
export type Region = RegionOf<string[]>;

const sources: RegionOf<string>[] = [
  {
    country: 'Canada',
    language: 'en',
    share: 27,
    givenNames:
      'Olivia, James, Emma, Liam, Charlotte, Noah, Amelia, William, Sophie, Jack, Grace, Owen, Hannah, Ethan, Priya, Siobhán, Zoë, Connor, Mei, Arjun',
    familyNames:
      "Smith, Brown, Tremblay, Wilson, Singh, MacDonald, Campbell, Wong, Taylor, O'Brien, Clarke, Fraser, Patel, Bouchard-Lee, St. John, Nguyen, Kowalchuk, Ó Súilleabháin",
    cities:
      "Toronto/Ontario, Vancouver/British Columbia, Calgary/Alberta, Ottawa/Ontario, Edmonton/Alberta, Winnipeg/Manitoba, Halifax/Nova Scotia, Victoria/British Columbia, Saskatoon/Saskatchewan, St. John's/Newfoundland and Labrador",
    streets:
      'King Street West, Main Street, Maple Avenue, Queen Street East, Bloor Street, Lakeshore Road, Elm Crescent, 4th Avenue, Granville Street, Old Mill Lane',
    addressPattern: '1## S',
    phonePattern: '+1 4## 555 01##',
  },
  {
    country: 'Canada',
    language: 'fr',
    share: 13,
    givenNames:
      'Émilie, Jean-François, Chloé, Gabriel, Zoé, Félix, Léa, Étienne, Noémie, Benoît, Maëlle, Loïc, Anaïs, Frédérique',
    familyNames:
      'Tremblay, Gagnon, Roy, Côté, Bouchard, Gauthier, Morin, Lavoie, Fortin, Gagné, Bélanger, Lévesque, Saint-Pierre',
    cities:
      'Montréal/Québec, Québec/Québec, Laval/Québec, Gatineau/Québec, Trois-Rivières/Québec, Saguenay/Québec, Lévis/Québec',
    streets:
      'rue Sainte-Catherine, boulevard René-Lévesque, rue Saint-Denis, avenue du Parc, chemin de la Côte-des-Neiges, rue de l’Église',
    addressPattern: '1#, S',
    phonePattern: '+1 5##-555-01##',
  },
  {
    country: 'United States',
    language: 'en',
    share: 14,
    givenNames:
      'Michael, Jennifer, David, Ashley, Christopher, Jessica, Maria, Daniel, Latoya, José, Brandon, Renée, Tyler, Aaliyah',
    familyNames:
      "Johnson, Williams, Garcia, Miller, Davis, Rodriguez, Martinez, Hernández, Lopez, Jackson, Nguyen, D'Angelo, Peña, van der Berg",
    cities:
      'New York/New York, Los Angeles/California, Chicago/Illinois, Houston/Texas, Seattle/Washington, Boston/Massachusetts, Denver/Colorado, Honolulu/Hawaiʻi',
    streets: 'Oak Street, Washington Avenue, 2nd Street, Park Avenue, Sunset Boulevard, Cedar Lane, Route 66',
    addressPattern: '2### S',
    phonePattern: '(2##) 555-01##',
  },
  {
    country: 'France',
    language: 'fr',
    share: 10,
    givenNames: 'Camille, Hugo, Manon, Théo, Inès, Lucas, Clémence, Noël, Agnès, Rémi, Océane, François',
    familyNames:
      'Martin, Bernard, Dubois, Lefèvre, Moreau, Müller, Girard, Besançon, d’Aubigné, Le Goff, Nuñez',
    cities:
      'Paris/Île-de-France, Lyon/Auvergne-Rhône-Alpes, Marseille/Provence-Alpes-Côte d’Azur, Toulouse/Occitanie, Nantes/Pays de la Loire, Besançon/Bourgogne-Franche-Comté',
    streets:
      'rue de la République, avenue Victor-Hugo, place d’Armes, rue du Général-de-Gaulle, quai des Orfèvres',
    addressPattern: '1# S',
    phonePattern: '+33 6 39 98 ## ##',
  },
  {
    country: 'Germany',
    language: 'de',
    share: 10,
    givenNames: 'Lena, Jürgen, Anna, Björn, Käthe, Lukas, Sabine, Günther, Mia, Jörg, Özlem, Heinz, Änne',
    familyNames:
      'Müller, Schmidt, Schäfer, Weiß, Köhler, Groß, Jäger, Yılmaz, Böhm, von der Höhe, Strauß, Lüdenscheidt',
    cities:
      'Berlin/Berlin, München/Bayern, Hamburg/Hamburg, Köln/Nordrhein-Westfalen, Düsseldorf/Nordrhein-Westfalen, Nürnberg/Bayern, Tübingen/Baden-Württemberg',
    streets: 'Hauptstraße, Bahnhofstraße, Gartenweg, Schloßallee, Lindenstraße, Am Mühlbach, Königsallee',
    addressPattern: 'S 1#',
    phonePattern: '+49 30 23125 ###',
  },
  {
    country: 'Poland',
    language: 'pl',
    share: 7,
    givenNames: 'Anna, Łukasz, Małgorzata, Paweł, Zofia, Grzegorz, Agnieszka, Świętosław, Bożena, Józef',
    familyNames:
      'Nowak, Wójcik, Wiśniewska, Lewandowski, Dąbrowska, Zieliński, Szczęsny, Żak, Gołębiewska, Śliwa',
    cities:
      'Warszawa/Mazowieckie, Kraków/Małopolskie, Łódź/Łódzkie, Wrocław/Dolnośląskie, Gdańsk/Pomorskie, Poznań/Wielkopolskie',
    streets:
      'ul. Marszałkowska, ul. Długa, al. Jerozolimskie, ul. Świętojańska, ul. Księcia Józefa, pl. Żołnierza',
    addressPattern: 'S 2#/1#',
    phonePattern: '+48 22 555 01 ##',
  },
  {
    country: 'Türkiye',
    language: 'tr',
    share: 5,
    givenNames: 'Ayşe, Mehmet, Elif, Çağlar, İpek, Oğuz, Gülşen, Işıl, Ömer, Tuğba',
    familyNames: 'Yılmaz, Kaya, Demir, Şahin, Çelik, Öztürk, Aydın, Güneş, Kılıç, Işık, İnönü',
    cities:
      'İstanbul/İstanbul, Ankara/Ankara, İzmir/İzmir, Şanlıurfa/Şanlıurfa, Eskişehir/Eskişehir, Muğla/Muğla',
    streets: 'İstiklal Caddesi, Atatürk Bulvarı, Çiçek Sokak, Gül Sokağı, Bağdat Caddesi',
    addressPattern: 'S No: 1#',
    phonePattern: '+90 212 555 01 ##',
  },
  {
    country: 'Việt Nam',
    language: 'vi',
    share: 5,
    givenNames:
      'Thị Hương, Văn Dũng, Minh Anh, Thị Thủy, Quốc Bảo, Ngọc Ánh, Hữu Phước, Thị Mỹ Duyên, Đức Thắng',
    familyNames: 'Nguyễn, Trần, Lê, Phạm, Hoàng, Võ, Đặng, Bùi, Đỗ, Hồ, Ngô',
    isFamilyNameFirst: true,
    cities: 'Hồ Chí Minh/Hồ Chí Minh, Hà Nội/Hà Nội, Đà Nẵng/Đà Nẵng, Cần Thơ/Cần Thơ, Huế/Thừa Thiên Huế',
    streets: 'đường Lê Lợi, đường Nguyễn Huệ, phố Hàng Đào, đường Trần Hưng Đạo, phố Bà Triệu',
    addressPattern: '1## S',
    phonePattern: '+84 28 5550 1##',
  },
  {
    country: '日本',
    language: 'ja',
    share: 3,
    givenNames:
      '陽菜=haruna, 翔太=shota, さくら=sakura, 健一=kenichi, 美咲=misaki, 大輔=daisuke, 結衣=yui, 悠真=yuma',
    familyNames:
      '佐藤=sato, 鈴木=suzuki, 高橋=takahashi, 田中=tanaka, 伊藤=ito, 渡邊=watanabe, 山本=yamamoto, 髙木=takagi',
    isFamilyNameFirst: true,
    cities: '東京/東京都, 横浜/神奈川県, 大阪/大阪府, 札幌/北海道, 京都/京都府, 福岡/福岡県',
    streets: '本町, 中央, 桜木町, 栄, 青葉台',
    addressPattern: 'S1-1#-2',
    phonePattern: '+81 3-5550-1###',
  },
  {
    country: 'مصر',
    language: 'ar',
    share: 2,
    givenNames:
      'محمد=mohamed, فاطمة=fatma, أحمد=ahmed, مريم=mariam, يوسف=youssef, نور=nour, خالد=khaled, ليلى=layla',
    familyNames:
      'حسن=hassan, إبراهيم=ibrahim, علي=ali, عبد الله=abdallah, السيد=elsayed, منصور=mansour, الشافعي=elshafei',
    cities: 'القاهرة/القاهرة, الإسكندرية/الإسكندرية, الجيزة/الجيزة, أسوان/أسوان',
    streets: 'شارع التحرير, شارع النيل, شارع طلعت حرب, شارع الهرم',
    addressPattern: '1# S',
    phonePattern: '+20 2 5550 1###',
  },
  {
    country: 'México',
    language: 'es',
    share: 4,
    givenNames: 'María José, José Luis, Guadalupe, Ángel, Sofía, Iñaki, Xóchitl, Ramón, Lucía',
    familyNames:
      'Hernández García, Martínez López, Núñez, Peña Nieto, Ibáñez, Muñoz Ruiz, Güemes, de la Cruz',
    cities:
      'Ciudad de México/Ciudad de México, Guadalajara/Jalisco, Monterrey/Nuevo León, Mérida/Yucatán, León/Guanajuato',
    streets: 'Avenida Insurgentes, Calle 5 de Mayo, Paseo de la Reforma, Calle Niños Héroes, Avenida Juárez',
    addressPattern: 'S 1##',
    phonePattern: '+52 55 5550 01##',
  },
];

export const regions: Region[] = sources.map((source) => ({
  ...source,
  givenNames: source.givenNames.split(', '),
  familyNames: source.familyNames.split(', '),
  cities: source.cities.split(', '),
  streets: source.streets.split(', '),
}));
