import type { Language } from './papers.ts';

export type Region = {
  country: string;
  language: Language;
  /** The percentage of customers who live here. */
  share: number;
  /** `東京=tokyo` adds the Latin spelling, for mail addresses. */
  givenNames: string[];
  familyNames: string[];
  nameOrder: 'given first' | 'family first';
  /** City and province, separated by a slash. */
  cities: string[];
  streets: string[];
  /** `S` is the street and `#` a digit. */
  addressPattern: string;
  phonePattern: string;
};

const list = (names: string) => names.split(', ');

export const regions: Region[] = [
  {
    country: 'Canada',
    language: 'en',
    share: 27,
    givenNames: list(
      'Olivia, James, Emma, Liam, Charlotte, Noah, Amelia, William, Sophie, Jack, Grace, Owen, Hannah, Ethan, Priya, Siobhán, Zoë, Connor, Mei, Arjun',
    ),
    familyNames: list(
      "Smith, Brown, Tremblay, Wilson, Singh, MacDonald, Campbell, Wong, Taylor, O'Brien, Clarke, Fraser, Patel, Bouchard-Lee, St. John, Nguyen, Kowalchuk, Ó Súilleabháin",
    ),
    nameOrder: 'given first',
    cities: list(
      "Toronto/Ontario, Vancouver/British Columbia, Calgary/Alberta, Ottawa/Ontario, Edmonton/Alberta, Winnipeg/Manitoba, Halifax/Nova Scotia, Victoria/British Columbia, Saskatoon/Saskatchewan, St. John's/Newfoundland and Labrador",
    ),
    streets: list(
      'King Street West, Main Street, Maple Avenue, Queen Street East, Bloor Street, Lakeshore Road, Elm Crescent, 4th Avenue, Granville Street, Old Mill Lane',
    ),
    addressPattern: '1## S',
    phonePattern: '+1 4## 555 01##',
  },
  {
    country: 'Canada',
    language: 'fr',
    share: 13,
    givenNames: list(
      'Émilie, Jean-François, Chloé, Gabriel, Zoé, Félix, Léa, Étienne, Noémie, Benoît, Maëlle, Loïc, Anaïs, Frédérique',
    ),
    familyNames: list(
      'Tremblay, Gagnon, Roy, Côté, Bouchard, Gauthier, Morin, Lavoie, Fortin, Gagné, Bélanger, Lévesque, Saint-Pierre',
    ),
    nameOrder: 'given first',
    cities: list(
      'Montréal/Québec, Québec/Québec, Laval/Québec, Gatineau/Québec, Trois-Rivières/Québec, Saguenay/Québec, Lévis/Québec',
    ),
    streets: list(
      'rue Sainte-Catherine, boulevard René-Lévesque, rue Saint-Denis, avenue du Parc, chemin de la Côte-des-Neiges, rue de l’Église',
    ),
    addressPattern: '1#, S',
    phonePattern: '+1 5##-555-01##',
  },
  {
    country: 'United States',
    language: 'en',
    share: 14,
    givenNames: list(
      'Michael, Jennifer, David, Ashley, Christopher, Jessica, Maria, Daniel, Latoya, José, Brandon, Renée, Tyler, Aaliyah',
    ),
    familyNames: list(
      "Johnson, Williams, Garcia, Miller, Davis, Rodriguez, Martinez, Hernández, Lopez, Jackson, Nguyen, D'Angelo, Peña, van der Berg",
    ),
    nameOrder: 'given first',
    cities: list(
      'New York/New York, Los Angeles/California, Chicago/Illinois, Houston/Texas, Seattle/Washington, Boston/Massachusetts, Denver/Colorado, Honolulu/Hawaiʻi',
    ),
    streets: list(
      'Oak Street, Washington Avenue, 2nd Street, Park Avenue, Sunset Boulevard, Cedar Lane, Route 66',
    ),
    addressPattern: '2### S',
    phonePattern: '(2##) 555-01##',
  },
  {
    country: 'France',
    language: 'fr',
    share: 10,
    givenNames: list(
      'Camille, Hugo, Manon, Théo, Inès, Lucas, Clémence, Noël, Agnès, Rémi, Océane, François',
    ),
    familyNames: list(
      'Martin, Bernard, Dubois, Lefèvre, Moreau, Müller, Girard, Besançon, d’Aubigné, Le Goff, Nuñez',
    ),
    nameOrder: 'given first',
    cities: list(
      'Paris/Île-de-France, Lyon/Auvergne-Rhône-Alpes, Marseille/Provence-Alpes-Côte d’Azur, Toulouse/Occitanie, Nantes/Pays de la Loire, Besançon/Bourgogne-Franche-Comté',
    ),
    streets: list(
      'rue de la République, avenue Victor-Hugo, place d’Armes, rue du Général-de-Gaulle, quai des Orfèvres',
    ),
    addressPattern: '1# S',
    phonePattern: '+33 6 39 98 ## ##',
  },
  {
    country: 'Germany',
    language: 'de',
    share: 10,
    givenNames: list(
      'Lena, Jürgen, Anna, Björn, Käthe, Lukas, Sabine, Günther, Mia, Jörg, Özlem, Heinz, Änne',
    ),
    familyNames: list(
      'Müller, Schmidt, Schäfer, Weiß, Köhler, Groß, Jäger, Yılmaz, Böhm, von der Höhe, Strauß, Lüdenscheidt',
    ),
    nameOrder: 'given first',
    cities: list(
      'Berlin/Berlin, München/Bayern, Hamburg/Hamburg, Köln/Nordrhein-Westfalen, Düsseldorf/Nordrhein-Westfalen, Nürnberg/Bayern, Tübingen/Baden-Württemberg',
    ),
    streets: list(
      'Hauptstraße, Bahnhofstraße, Gartenweg, Schloßallee, Lindenstraße, Am Mühlbach, Königsallee',
    ),
    addressPattern: 'S 1#',
    phonePattern: '+49 30 23125 ###',
  },
  {
    country: 'Poland',
    language: 'pl',
    share: 7,
    givenNames: list(
      'Anna, Łukasz, Małgorzata, Paweł, Zofia, Grzegorz, Agnieszka, Świętosław, Bożena, Józef',
    ),
    familyNames: list(
      'Nowak, Wójcik, Wiśniewska, Lewandowski, Dąbrowska, Zieliński, Szczęsny, Żak, Gołębiewska, Śliwa',
    ),
    nameOrder: 'given first',
    cities: list(
      'Warszawa/Mazowieckie, Kraków/Małopolskie, Łódź/Łódzkie, Wrocław/Dolnośląskie, Gdańsk/Pomorskie, Poznań/Wielkopolskie',
    ),
    streets: list(
      'ul. Marszałkowska, ul. Długa, al. Jerozolimskie, ul. Świętojańska, ul. Księcia Józefa, pl. Żołnierza',
    ),
    addressPattern: 'S 2#/1#',
    phonePattern: '+48 22 555 01 ##',
  },
  {
    country: 'Türkiye',
    language: 'tr',
    share: 5,
    givenNames: list('Ayşe, Mehmet, Elif, Çağlar, İpek, Oğuz, Gülşen, Işıl, Ömer, Tuğba'),
    familyNames: list('Yılmaz, Kaya, Demir, Şahin, Çelik, Öztürk, Aydın, Güneş, Kılıç, Işık, İnönü'),
    nameOrder: 'given first',
    cities: list(
      'İstanbul/İstanbul, Ankara/Ankara, İzmir/İzmir, Şanlıurfa/Şanlıurfa, Eskişehir/Eskişehir, Muğla/Muğla',
    ),
    streets: list('İstiklal Caddesi, Atatürk Bulvarı, Çiçek Sokak, Gül Sokağı, Bağdat Caddesi'),
    addressPattern: 'S No: 1#',
    phonePattern: '+90 212 555 01 ##',
  },
  {
    country: 'Việt Nam',
    language: 'vi',
    share: 5,
    givenNames: list(
      'Thị Hương, Văn Dũng, Minh Anh, Thị Thủy, Quốc Bảo, Ngọc Ánh, Hữu Phước, Thị Mỹ Duyên, Đức Thắng',
    ),
    familyNames: list('Nguyễn, Trần, Lê, Phạm, Hoàng, Võ, Đặng, Bùi, Đỗ, Hồ, Ngô'),
    nameOrder: 'family first',
    cities: list(
      'Hồ Chí Minh/Hồ Chí Minh, Hà Nội/Hà Nội, Đà Nẵng/Đà Nẵng, Cần Thơ/Cần Thơ, Huế/Thừa Thiên Huế',
    ),
    streets: list('đường Lê Lợi, đường Nguyễn Huệ, phố Hàng Đào, đường Trần Hưng Đạo, phố Bà Triệu'),
    addressPattern: '1## S',
    phonePattern: '+84 28 5550 1##',
  },
  {
    country: '日本',
    language: 'ja',
    share: 3,
    givenNames: list(
      '陽菜=haruna, 翔太=shota, さくら=sakura, 健一=kenichi, 美咲=misaki, 大輔=daisuke, 結衣=yui, 悠真=yuma',
    ),
    familyNames: list(
      '佐藤=sato, 鈴木=suzuki, 高橋=takahashi, 田中=tanaka, 伊藤=ito, 渡邊=watanabe, 山本=yamamoto, 髙木=takagi',
    ),
    nameOrder: 'family first',
    cities: list('東京/東京都, 横浜/神奈川県, 大阪/大阪府, 札幌/北海道, 京都/京都府, 福岡/福岡県'),
    streets: list('本町, 中央, 桜木町, 栄, 青葉台'),
    addressPattern: 'S1-1#-2',
    phonePattern: '+81 3-5550-1###',
  },
  {
    country: 'مصر',
    language: 'ar',
    share: 2,
    givenNames: list(
      'محمد=mohamed, فاطمة=fatma, أحمد=ahmed, مريم=mariam, يوسف=youssef, نور=nour, خالد=khaled, ليلى=layla',
    ),
    familyNames: list(
      'حسن=hassan, إبراهيم=ibrahim, علي=ali, عبد الله=abdallah, السيد=elsayed, منصور=mansour, الشافعي=elshafei',
    ),
    nameOrder: 'given first',
    cities: list('القاهرة/القاهرة, الإسكندرية/الإسكندرية, الجيزة/الجيزة, أسوان/أسوان'),
    streets: list('شارع التحرير, شارع النيل, شارع طلعت حرب, شارع الهرم'),
    addressPattern: '1# S',
    phonePattern: '+20 2 5550 1###',
  },
  {
    country: 'México',
    language: 'es',
    share: 4,
    givenNames: list('María José, José Luis, Guadalupe, Ángel, Sofía, Iñaki, Xóchitl, Ramón, Lucía'),
    familyNames: list(
      'Hernández García, Martínez López, Núñez, Peña Nieto, Ibáñez, Muñoz Ruiz, Güemes, de la Cruz',
    ),
    nameOrder: 'given first',
    cities: list(
      'Ciudad de México/Ciudad de México, Guadalajara/Jalisco, Monterrey/Nuevo León, Mérida/Yucatán, León/Guanajuato',
    ),
    streets: list(
      'Avenida Insurgentes, Calle 5 de Mayo, Paseo de la Reforma, Calle Niños Héroes, Avenida Juárez',
    ),
    addressPattern: 'S 1##',
    phonePattern: '+52 55 5550 01##',
  },
];
